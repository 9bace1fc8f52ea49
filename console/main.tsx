// The page of reviewers, operators and administrators. Everything on it is loaded from the gateway itself.
import { render } from 'preact'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root === null) throw new TypeError('index.html has no #root')
render(<App />, root)
