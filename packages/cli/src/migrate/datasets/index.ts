export type { MapRow } from './mapping.ts'
export type { DatasetRow, MappedItem } from './row.ts'
