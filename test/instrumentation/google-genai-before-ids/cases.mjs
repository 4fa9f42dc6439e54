// The first versions: their answers have no id, and their errors no status.
export { cases, connect } from '../google-genai/cases.mjs'

export const load = { import: (name) => import(name) }
