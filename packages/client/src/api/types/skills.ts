import type { Moment, PageOf, PageRequest } from './pages.ts'

/** A version of a skill: instructions and files for agents. */
export interface SkillVersion {
  id: string
  createdAt: string
  updatedAt: string
  projectId: string
  createdBy: string
  name: string
  description: string
  frontmatter: unknown
  version: number
  tags: string[]
  labels: string[]
  commitMessage: string | null
  files: SkillFile[]
}

export interface SkillFile {
  id: string
  path: string
  blobId: string
  sha256Hash: string
  contentType: string
  contentLength: number
}

/** A skill in a listing, with some fields of its newest version. */
export type SkillMeta = Pick<SkillVersion, 'name'> & Partial<SkillVersion>

export type SkillsPage = PageOf<SkillMeta>

export interface ListSkillsRequest extends PageRequest {
  name?: string | undefined
  search?: string | undefined
  tag?: string | undefined
  fromUpdatedAt?: Moment | undefined
  toUpdatedAt?: Moment | undefined
}

export interface GetSkillRequest {
  version?: number | undefined
  label?: string | undefined
}

export interface CreateSkillVersionRequest {
  files: readonly SkillFileInput[]
  commitMessage?: string | undefined
}

/** A file with its content, or a reference to one that the service already has. */
export type SkillFileInput = { path: string; content: string } | { path: string; sha256Hash: string }

export interface UpdateSkillRequest {
  tags: readonly string[]
}

export interface SetSkillLabelsRequest {
  labels: readonly string[]
}

export interface SkillFileContent {
  content: string
}

export interface DeleteSkillVersionResponse {
  deleted: boolean
}
