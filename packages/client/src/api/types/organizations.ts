import type { ValueOf } from './pages.ts'
import type { ApiKeySummary } from './projects.ts'

export const MembershipRole = { Owner: 'OWNER', Admin: 'ADMIN', Member: 'MEMBER', Viewer: 'VIEWER' } as const
export type MembershipRole = ValueOf<typeof MembershipRole>

/** Sets the role of a user. */
export interface MembershipRequest {
  userId: string
  role: MembershipRole
}

export interface DeleteMembershipRequest {
  userId: string
}

export interface MembershipResponse {
  userId: string
  role: MembershipRole
  email: string
  name: string
}

export interface MembershipDeletionResponse {
  message: string
  userId: string
}

export interface MembershipsResponse {
  memberships: MembershipResponse[]
}

export interface OrganizationProject {
  id: string
  name: string
  metadata?: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export interface OrganizationProjectsResponse {
  projects: OrganizationProject[]
}

/** A key of the organization. Only part of its secret is returned. */
export type OrganizationApiKey = ApiKeySummary

export interface OrganizationApiKeysResponse {
  apiKeys: OrganizationApiKey[]
}
