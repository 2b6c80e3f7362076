/** The settings of a gateway that the configuration file has a say in. */
import { defined } from '../../core/defined.ts'
import type { GatewaySettings } from '../../gateway/gateway-parts.ts'
import type { Configuration } from '../configuration/configuration.ts'

export function gatewaySettings({
  expiresInMs,
  claimWithinMs,
  runWithinMs,
  limits,
}: Pick<
  Configuration,
  'expiresInMs' | 'claimWithinMs' | 'runWithinMs' | 'limits'
>): Partial<GatewaySettings> {
  return defined({ expiresInMs, claimWithinMs, runWithinMs, limits })
}
