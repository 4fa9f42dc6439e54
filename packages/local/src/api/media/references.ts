import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import type { StoredItem } from '../../store/dataset-item.ts'
import { isUploaded } from './register.ts'
import { signedUrl } from './signed-url.ts'

/** `DatasetItemMediaReference` (appendix A): a media tag somewhere in an item, and where to get the file. */
export interface DatasetItemMediaReference {
  readonly field: 'input' | 'expectedOutput' | 'metadata'
  readonly referenceString: string
  /** `$`, then `['key']` or `[index]` for each step; keys stand there as they are. */
  readonly jsonPath: string
  readonly media: {
    readonly mediaId: string
    readonly contentType: string
    readonly contentLength: number
    readonly url: string
    readonly urlExpiry: string
  }
}

const FIELDS = ['input', 'expectedOutput', 'metadata'] as const
/** The tag stands for a whole value (contract 1.8). */
const TAG = /^@@@svcMedia:type=[^|@]+\|id=([^|@]+)\|source=[^|@]+@@@$/

/** The media files that a dataset item refers to, as far as they are here. It may have one of them any number of times. */
export function mediaReferencesOf(item: StoredItem, call: Call, service: ReadService): DatasetItemMediaReference[] {
  const files = new Map<string, DatasetItemMediaReference['media'] | undefined>()
  return FIELDS.flatMap((field) =>
    tagsIn(item[field], '$').flatMap(({ tag, id, jsonPath }) => {
      if (!files.has(id)) files.set(id, fileOf(id, call, service))
      const media = files.get(id)
      return media ? [{ field, referenceString: tag, jsonPath, media }] : []
    }),
  )
}

function fileOf(id: string, call: Call, service: ReadService): DatasetItemMediaReference['media'] | undefined {
  const media = service.store.media.one({ id })
  if (!media || !isUploaded(id, service.store)) return undefined
  const { contentType, contentLength } = media
  return { mediaId: id, contentType, contentLength, ...signedUrl('GET', id, call, service) }
}

interface Tag {
  readonly tag: string
  readonly id: string
  readonly jsonPath: string
}

function tagsIn(value: unknown, path: string): Tag[] {
  if (typeof value === 'string') {
    const id = TAG.exec(value)?.[1]
    return id === undefined ? [] : [{ tag: value, id, jsonPath: path }]
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => tagsIn(item, `${path}[${at}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => tagsIn(item, `${path}['${key}']`))
}
