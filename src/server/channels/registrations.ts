/** The channels of this server. To add one is to add a line here: its key, its people's accounts and its doors follow. */
import { dirname, resolve } from 'node:path'
import type { ChannelRegistration, ConfiguredChannel } from './channel-registration.ts'
import { feishu } from './feishu.ts'
import { inbox } from './inbox.ts'
import { pet } from './pet.ts'
import { push } from './push.ts'
import { reactPlus } from './react-plus.ts'
import { telegram } from './telegram.ts'

export const CHANNELS: readonly ChannelRegistration[] = [inbox, pet, reactPlus, push, feishu, telegram]

/** Those that are switched on. `blocks` has what stands under their keys in the file, once it was checked. */
export function readChannels(
  blocks: object,
  file: string,
  channels: readonly ChannelRegistration[],
): ConfiguredChannel[] {
  const place = { folder: dirname(resolve(file)) }
  return channels.flatMap(({ key, read }) => read((blocks as Record<string, unknown>)[key], place) ?? [])
}
