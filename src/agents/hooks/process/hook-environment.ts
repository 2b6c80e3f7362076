/**
 * What a hook's process finds in its environment: what programs need to run at all, and what is configured for it. The
 * host's own environment stays with the host, with its keys and its `BANKSMAN_*`.
 */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'],
  // Without these little starts on Windows.
  ...['SystemRoot', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE'],
]

export function hookEnvironment(
  configured: Readonly<Record<string, string>>,
  host: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name): [string, string][] => {
    const value = host[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(passed), ...configured }
}
