import type { DashboardWidgetFilter } from './dashboard-widgets.ts'
import type { ChangesOf, MessageResponse, PageOf } from './pages.ts'
/** The position of a widget or preset, in cells of the grid. */
export type DashboardPlacement = (WidgetPlacement & { type: 'widget' }) | (PresetPlacement & { type: 'preset' })

/** Position and size in cells of the grid. */
export interface PlacementArea {
  x: number
  y: number
  width: number
  height: number
}

export interface WidgetPlacement extends PlacementArea {
  id: string
  widgetId: string
}

export interface PresetPlacement extends PlacementArea {
  id: string
  presetId: string
}

export type CreateDashboardPlacementRequest =
  | (CreateWidgetPlacement & { type: 'widget' })
  | (CreatePresetPlacement & { type: 'preset' })

export interface CreateWidgetPlacement extends UpdateDashboardPlacementRequest {
  id?: string | undefined
  widgetId: string
}

export interface CreatePresetPlacement extends UpdateDashboardPlacementRequest {
  id?: string | undefined
  presetId: string
}

export type UpdateDashboardPlacementRequest = ChangesOf<PlacementArea>

export type DeleteDashboardPlacementResponse = MessageResponse

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

export type DashboardList = PageOf<Dashboard>

export interface CreateDashboardRequest {
  name: string
  description?: string | undefined
  definition?: DashboardDefinition | undefined
  filters?: readonly DashboardWidgetFilter[] | undefined
}

export type UpdateDashboardRequest = ChangesOf<CreateDashboardRequest>

export type DeleteDashboardResponse = MessageResponse
