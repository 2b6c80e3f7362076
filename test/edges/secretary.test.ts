/** The acceptance list of the secretary with the real Claude Agent SDK and the program that it brings. */
import { describe, expect, it } from 'vitest'
import { describeSecretary } from '../secretary/describe-secretary.ts'
import { claudeDriver } from './claude-driver.ts'

describeSecretary({ describe, it, expect }, claudeDriver)
