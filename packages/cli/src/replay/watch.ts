// Loaded by `svc replay` after the preload.
import { watchPlaces } from './tree-place.ts'

watchPlaces()
