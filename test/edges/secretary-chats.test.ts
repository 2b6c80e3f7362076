/** Coding sessions from Feishu and Telegram, with the real Claude Agent SDK and the program that it brings. */
import { describe, expect, it } from 'vitest'
import { CHATS } from '../secretary/chats/chat-drivers.ts'
import { describeSecretaryChats } from '../secretary/chats/describe-secretary-chats.ts'
import { claudeDriver } from './claude-driver.ts'

for (const chat of CHATS) describeSecretaryChats({ describe, it, expect }, claudeDriver, chat)
