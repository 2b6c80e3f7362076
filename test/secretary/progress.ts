import type { SecretarySuite } from './describe-secretary.ts'

export function describeProgress(_: SecretarySuite): void {}
