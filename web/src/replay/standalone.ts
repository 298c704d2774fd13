// The replay as a page of its own that needs no server: the battle is in the page.

import { mount } from 'svelte'
import '../style.css'
import { page } from '../page.svelte'
import { signs, type Picture } from '../drawing/signs.svelte'
import type { Lang } from '../words'
import { Film, type Told } from './film.svelte'
import Standalone from './Standalone.svelte'

const told = JSON.parse(document.getElementById('film')!.textContent!) as Told & { lang: Lang; picture: Picture }
signs.set(told.game, told.picture)
page.lang = told.lang
document.documentElement.lang = told.lang
const film = new Film(told, told.lang)
film.frame = 0
mount(Standalone, { target: document.getElementById('app')!, props: { film } })
