/** The smallest shape of a test runner that the published suites need. */
export interface Runner {
  describe(name: string, body: () => void): void
  it: {
    (name: string, body: () => Promise<void>): void
    skip(name: string, body: () => Promise<void>): void
  }
  expect(actual: unknown): Expectation
}

export interface Expectation {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toMatchObject(expected: object): void
}
