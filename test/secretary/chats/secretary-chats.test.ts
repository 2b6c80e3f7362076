import { describe, expect, it } from 'vitest'
import { loopDriver } from '../loop-driver.ts'
import { CHATS } from './chat-drivers.ts'
import { describeSecretaryChats } from './describe-secretary-chats.ts'

for (const chat of CHATS) describeSecretaryChats({ describe, it, expect }, loopDriver, chat)
