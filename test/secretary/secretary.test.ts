import { describe, expect, it } from 'vitest'
import { describeSecretary } from './describe-secretary.ts'
import { loopDriver } from './loop-driver.ts'

describeSecretary({ describe, it, expect }, loopDriver)
