// A program that cannot leave Node: shows that the test would notice.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export const read = (name) => readFile(Buffer.from(name)).then((text) => [randomUUID(), text])
