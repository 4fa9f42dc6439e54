import type { DashboardWidgetFilter } from './dashboard-widgets.ts'
import type { MetaResponse } from './pages.ts'

/** The position of a widget or preset, in cells of the grid. */
export type DashboardPlacement = (WidgetPlacement & { type: 'widget' }) | (PresetPlacement & { type: 'preset' })

export interface WidgetPlacement {
  id: string
  widgetId: string
  x: number
  y: number
  width: number
  height: number
}

export interface PresetPlacement {
  id: string
  presetId: string
  x: number
  y: number
  width: number
  height: number
}

export type CreateDashboardPlacementRequest =
  | (CreateWidgetPlacement & { type: 'widget' })
  | (CreatePresetPlacement & { type: 'preset' })

export interface CreateWidgetPlacement {
  id?: string | undefined
  widgetId: string
  x?: number | undefined
  y?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

export interface CreatePresetPlacement {
  id?: string | undefined
  presetId: string
  x?: number | undefined
  y?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

export interface UpdateDashboardPlacementRequest {
  x?: number | undefined
  y?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

export interface DeleteDashboardPlacementResponse {
  message: string
}

export interface DashboardDefinition {
  widgets: DashboardPlacement[]
}

/** A dashboard: widgets and their positions. */
export interface Dashboard {
  id: string
  createdAt: string
  updatedAt: string
  name: string
  description: string
  definition: DashboardDefinition
  filters: DashboardWidgetFilter[]
}

export interface DashboardList {
  data: Dashboard[]
  meta: MetaResponse
}

export interface CreateDashboardRequest {
  name: string
  description?: string | undefined
  definition?: DashboardDefinition | undefined
  filters?: readonly DashboardWidgetFilter[] | undefined
}

export interface UpdateDashboardRequest {
  name?: string | undefined
  description?: string | undefined
  definition?: DashboardDefinition | undefined
  filters?: readonly DashboardWidgetFilter[] | undefined
}

export interface DeleteDashboardResponse {
  message: string
}
