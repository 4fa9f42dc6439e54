import type { Service } from './service.ts'

/** Each trace as a tree, a line for each observation. */
export function treesOf({ local }: Service): string[] {
  const observations = local.observations()
  const draw = (parentId: string | null, traceId: string, indent: string): string[] =>
    observations
      .filter((each) => each.traceId === traceId && (each.parentId ?? null) === parentId)
      .sort((one, other) => String(one.startTime).localeCompare(String(other.startTime)))
      .flatMap(({ id, type, name }) => [`${indent}${type} ${name}`, ...draw(id, traceId, `${indent}  `)])
  return [...new Set(observations.map(({ traceId }) => traceId))].map((id) => draw(null, id, '').join('\n'))
}

export function linksOf({ local }: Service): number {
  return local.spans().reduce((sum, { links }) => sum + links.length, 0)
}
