import type { SecretarySuite } from './describe-secretary.ts'

export function describeLimits(_: SecretarySuite): void {}
