import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './parts/keep-focus.ts'
import './style.css'

keepFocus()
render(<App />, document.querySelector('#page')!)
