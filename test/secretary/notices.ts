import type { SecretarySuite } from './describe-secretary.ts'

export function describeNotices(_: SecretarySuite): void {}
