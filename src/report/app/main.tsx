import { render } from 'preact'
import { App } from './app.tsx'
import { readIndexData, readPageData } from './read-page.ts'
import { RunIndex } from './views/run-index.tsx'
import { applyTheme } from './views/theme-switch.tsx'
import './style.css'
import './served.css'

applyTheme()
const index = readIndexData()
const page = index === null ? <App data={readPageData()} /> : <RunIndex data={index} />
render(page, document.getElementById('app')!)
