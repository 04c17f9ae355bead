/**
 * Variables that every program may see. None contains a key. The TESSDATA and FONTCONFIG ones name folders that tesseract and
 * Chromium need on machines where they are installed elsewhere.
 */
const harmlessVariables = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'SHELL',
  'USER',
  'LOGNAME',
  'TERM',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'TESSDATA_PREFIX',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  // Programs on Windows do not start without these.
  'SystemRoot',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PATHEXT',
]

/** Returns the environment of every program that Tablehunt starts: this process's variables without those that may be keys. */
export function harmlessEnvironment(): Record<string, string> {
  const entries = harmlessVariables.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}
