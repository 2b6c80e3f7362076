import type { SecretarySuite } from './describe-secretary.ts'

export function describeAsking(_: SecretarySuite): void {}
