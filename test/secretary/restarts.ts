import type { SecretarySuite } from './describe-secretary.ts'

export function describeRestarts(_: SecretarySuite): void {}
