export interface TabsProps<T extends string> {
  label: string
  tabs: readonly (readonly [name: T, words: string])[]
  chosen: T
  choose(name: T): void
}

/** The faces of one page, beside each other; which one is shown stands in the address. */
export function Tabs<T extends string>({ label, tabs, chosen, choose }: TabsProps<T>) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, words]) => (
        <button
          key={name}
          type="button"
          aria-current={name === chosen ? 'page' : undefined}
          onClick={() => choose(name)}
        >
          {words}
        </button>
      ))}
    </nav>
  )
}
