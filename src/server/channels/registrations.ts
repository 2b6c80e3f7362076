/** The channels of this server. To add one is to add a line here: its key, its people's accounts and its doors follow. */
import type { ChannelRegistration } from './channel-registration.ts'
import { inbox } from './inbox.ts'
import { pet } from './pet.ts'
import { push } from './push.ts'
import { reactPlus } from './react-plus.ts'

export const CHANNELS: readonly ChannelRegistration[] = [inbox, pet, reactPlus, push]
