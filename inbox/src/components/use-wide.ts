/** Whether there is room for two columns, as `style/wide.css` has it. */
import { useEffect, useMemo, useState } from 'preact/hooks'

export function useWide(): boolean {
  const query = useMemo(() => matchMedia('(min-width: 56rem)'), [])
  const [isWide, setWide] = useState(query.matches)
  useEffect(() => {
    const look = () => setWide(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  return isWide
}
