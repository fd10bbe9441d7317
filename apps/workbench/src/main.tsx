import '@tiwala/ui/styles/tokens.css'
import '@tiwala/ui/styles/elements.css'
import '@tiwala/ui/styles/components.css'
import '@tiwala/ui/styles/consent.css'
import '@tiwala/ui/styles/work-page.css'
import '@tiwala/ui/styles/chart.css'
import { keepFocus } from '@tiwala/ui/keep-focus'
import { render } from 'preact'
import { App } from './app.tsx'

const page = document.querySelector('#page')!
keepFocus()
page.replaceChildren()
render(<App />, page)
