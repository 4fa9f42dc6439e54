/** Formats of files that set variables. */
export type EnvFormat = 'env' | 'yaml' | 'dockerfile' | 'script'

const FORMATS: readonly (readonly [path: RegExp, format: EnvFormat])[] = [
  [/(^|\/)\.env(\.[\w.-]+)?$|(^|\/)[\w.-]+\.env$|(^|\/)\.envrc$/, 'env'],
  [/(^|\/)(docker-)?compose[\w.-]*\.ya?ml$/, 'yaml'],
  [/(^|\/)(Dockerfile|Containerfile)[\w.-]*$|\.[Dd]ockerfile$/, 'dockerfile'],
  [/^(.+\/)?\.github\/(workflows|actions)\/.+\.ya?ml$/, 'yaml'],
  [/(^|\/)(\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|appveyor|cloudbuild)[\w.-]*\.ya?ml$/, 'yaml'],
  [/(^|\/)\.(circleci|buildkite|woodpecker)\/.+\.ya?ml$/, 'yaml'],
  [/(^|\/)Jenkinsfile[\w.-]*$/, 'script'],
]

/**
 * Returns the format of a file with variables (`.env*`, compose files, Dockerfiles, workflows); undefined for any
 * other.
 */
export function envFormatOf(path: string): EnvFormat | undefined {
  return FORMATS.find(([pattern]) => pattern.test(path))?.[1]
}
