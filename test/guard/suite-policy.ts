/** The policy that the guard's and the adapters' suites expect: `send_*` and the rest need approval. */
export const SUITE_POLICY = { allow: ['read_*'], deny: ['*_delete'] }
