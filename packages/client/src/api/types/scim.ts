export interface ServiceProviderConfig {
  schemas: string[]
  documentationUri: string
  patch: ScimFeatureSupport
  bulk: BulkConfig
  filter: FilterConfig
  changePassword: ScimFeatureSupport
  sort: ScimFeatureSupport
  etag: ScimFeatureSupport
  authenticationSchemes: AuthenticationScheme[]
  meta: ResourceMeta
}

export interface ScimFeatureSupport {
  supported: boolean
}

export interface BulkConfig {
  supported: boolean
  maxOperations: number
  maxPayloadSize: number
}

export interface FilterConfig {
  supported: boolean
  maxResults: number
}

export interface ResourceMeta {
  resourceType: string
  location: string
}

export interface AuthenticationScheme {
  name: string
  description: string
  specUri: string
  type: string
  primary: boolean
}

export interface ResourceTypesResponse {
  schemas: string[]
  totalResults: number
  Resources: ResourceType[]
}

export interface ResourceType {
  schemas?: string[]
  id: string
  name: string
  endpoint: string
  description: string
  schema: string
  schemaExtensions: SchemaExtension[]
  meta: ResourceMeta
}

export interface SchemaExtension {
  schema: string
  required: boolean
}

export interface SchemasResponse {
  schemas: string[]
  totalResults: number
  Resources: SchemaResource[]
}

export interface SchemaResource {
  id: string
  name: string
  description: string
  attributes: unknown[]
  meta: ResourceMeta
}

export interface ScimUsersListResponse {
  schemas: string[]
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: ScimUser[]
}

/** A user in the format of identity providers (RFC 7643). */
export interface ScimUser {
  schemas: string[]
  id: string
  userName: string
  name: ScimName
  emails: ScimEmail[]
  meta: UserMeta
}

export interface UserMeta {
  resourceType: string
  created?: string
  lastModified?: string
}

export interface ScimName {
  formatted?: string
}

export interface ScimEmail {
  primary: boolean
  value: string
  type: string
}

export type EmptyResponse = Record<string, never>

export interface ListScimUsersRequest {
  filter?: string | undefined
  /** 1 is the first. */
  startIndex?: number | undefined
  count?: number | undefined
}

export interface CreateScimUserRequest {
  userName: string
  name: ScimName
  emails?: readonly ScimEmail[] | undefined
  active?: boolean | undefined
  password?: string | undefined
}
