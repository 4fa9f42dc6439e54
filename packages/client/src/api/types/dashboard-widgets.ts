import type { MetaResponse } from './pages.ts'

export type DashboardWidgetView = 'observations' | 'scores-numeric' | 'scores-boolean' | 'scores-categorical'

export type DashboardWidgetViewWithLegacy =
  | 'observations'
  | 'scores-numeric'
  | 'scores-boolean'
  | 'scores-categorical'
  | 'traces'

export type DashboardWidgetChartType =
  | 'LINE_TIME_SERIES'
  | 'AREA_TIME_SERIES'
  | 'BAR_TIME_SERIES'
  | 'HORIZONTAL_BAR'
  | 'VERTICAL_BAR'
  | 'PIE'
  | 'NUMBER'
  | 'HISTOGRAM'
  | 'PIVOT_TABLE'

export type DashboardWidgetMetricAggregation =
  | 'sum'
  | 'avg'
  | 'count'
  | 'max'
  | 'min'
  | 'p50'
  | 'p75'
  | 'p90'
  | 'p95'
  | 'p99'
  | 'histogram'
  | 'uniq'

export interface DashboardWidgetDimension {
  field: string
}

export interface DashboardWidgetMetric {
  measure: string
  agg: DashboardWidgetMetricAggregation
}

export interface DashboardWidgetFilter {
  column: string
  operator: string
  type: string
  value?: unknown
  key?: string
}

export interface DashboardWidgetChartConfig {
  type: DashboardWidgetChartType
  row_limit?: number
  show_value_labels?: boolean
  bins?: number
  defaultSort?: DashboardWidgetDefaultSort
}

export interface DashboardWidgetDefaultSort {
  column: string
  order: DashboardWidgetSortOrder
}

export type DashboardWidgetSortOrder = 'ASC' | 'DESC'

export interface DashboardWidgetChartConfigInput {
  type?: DashboardWidgetChartType
  row_limit?: number
  show_value_labels?: boolean
  bins?: number
  defaultSort?: DashboardWidgetDefaultSort
}

export interface CreateDashboardWidgetRequest {
  name: string
  description?: string | undefined
  view: DashboardWidgetView
  dimensions: readonly DashboardWidgetDimension[]
  metrics: readonly DashboardWidgetMetric[]
  filters: readonly DashboardWidgetFilter[]
  chartType: DashboardWidgetChartType
  chartConfig?: DashboardWidgetChartConfigInput | undefined
}

export interface UpdateDashboardWidgetRequest {
  name?: string | undefined
  description?: string | undefined
  view?: DashboardWidgetView | undefined
  dimensions?: readonly DashboardWidgetDimension[] | undefined
  metrics?: readonly DashboardWidgetMetric[] | undefined
  filters?: readonly DashboardWidgetFilter[] | undefined
  chartType?: DashboardWidgetChartType | undefined
  chartConfig?: DashboardWidgetChartConfigInput | undefined
}

export interface DashboardWidgetList {
  data: DashboardWidget[]
  meta: MetaResponse
}

export interface DeleteDashboardWidgetResponse {
  message: string
}

/** A chart over observations or scores. */
export interface DashboardWidget {
  id: string
  createdAt: string
  updatedAt: string
  name: string
  description: string
  view: DashboardWidgetViewWithLegacy
  dimensions: DashboardWidgetDimension[]
  metrics: DashboardWidgetMetric[]
  filters: DashboardWidgetFilter[]
  chartType: DashboardWidgetChartType
  chartConfig: DashboardWidgetChartConfig
}
