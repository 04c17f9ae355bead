import { render } from 'preact'
import { App } from './app.tsx'
import { readPageData } from './read-page.ts'
import './style.css'

render(<App data={readPageData()} />, document.getElementById('app')!)
