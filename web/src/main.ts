import { mount } from 'svelte'
import './fonts/garamond.css'
import '@fontsource/source-sans-3/latin-400.css'
import '@fontsource/source-sans-3/latin-600.css'
import './style.css'
import App from './App.svelte'

export default mount(App, { target: document.getElementById('app')! })
