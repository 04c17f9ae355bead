import { useState } from 'preact/hooks'

const themes = ['system', 'light', 'dark'] as const
type PageTheme = (typeof themes)[number]

const themeKey = 'theme'

/** Returns the remembered theme. Another value, and a browser that keeps nothing, mean that of the system. */
function readTheme(): PageTheme {
  try {
    const saved = localStorage.getItem(themeKey)
    return themes.find(theme => theme === saved) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Gives the page the remembered theme. Called before the page is drawn. */
export function applyTheme(theme = readTheme()): void {
  document.documentElement.dataset.theme = theme
}

function setTheme(theme: PageTheme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(themeKey, theme)
  } catch {
    // The theme holds until the page is left.
  }
}

/** Chooses light, dark, or what the system says. This browser remembers it. */
export function ThemeSwitch() {
  const [current, setCurrent] = useState(readTheme)
  return (
    <select
      class="theme"
      aria-label="colour theme"
      value={current}
      onInput={({ currentTarget }) => {
        const theme = currentTarget.value as PageTheme
        setTheme(theme)
        setCurrent(theme)
      }}
    >
      {themes.map(theme => (
        <option key={theme} value={theme}>
          {theme}
        </option>
      ))}
    </select>
  )
}
