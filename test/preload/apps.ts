import { fileURLToPath } from 'node:url'

/** Path of a program in `apps/`. */
export const app = (name: string): string => fileURLToPath(new URL(`./apps/${name}`, import.meta.url))

/** Programs run from the folder of the tests, whose package depends on `@svc/register`. */
export const cwd = fileURLToPath(new URL('..', import.meta.url))

/** The one line that a user adds. */
export const PRELOAD = ['--import', '@svc/register'] as const
