import type { StoredScore } from '../../store/score.ts'
import type { StoredScoreConfig } from '../../store/score-config.ts'

/** Says what of a score its configuration does not allow; undefined when it fits. */
export function misfitOf(score: StoredScore, config: StoredScoreConfig): string | undefined {
  const { name, dataType, isArchived, minValue, maxValue, categories } = config
  if (isArchived) return `the score config ${name} is archived`
  if (score.dataType !== dataType) return `the score config ${name} is for ${dataType} scores`
  if (score.number !== null && minValue !== null && score.number < minValue) return `expected at least ${minValue}`
  if (score.number !== null && maxValue !== null && score.number > maxValue) return `expected at most ${maxValue}`
  const labels = dataType === 'CATEGORICAL' ? (categories ?? []).map(({ label }) => label) : []
  if (labels.length > 0 && !labels.includes(score.text ?? '')) return `expected ${labels.join(', ')}`
  return undefined
}
