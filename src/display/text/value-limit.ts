/** How many characters of a value are shown: a screen or two of code. What is longer is read whole or not at all. */
export const VALUE_LIMIT = 16_000
