import type { ChangesOf, MessageResponse, PageOf, ValueOf } from './pages.ts'

export const DashboardWidgetView = {
  Observations: 'observations',
  ScoresNumeric: 'scores-numeric',
  ScoresBoolean: 'scores-boolean',
  ScoresCategorical: 'scores-categorical',
} as const
export type DashboardWidgetView = ValueOf<typeof DashboardWidgetView>

export const DashboardWidgetViewWithLegacy = { ...DashboardWidgetView, Traces: 'traces' } as const
export type DashboardWidgetViewWithLegacy = ValueOf<typeof DashboardWidgetViewWithLegacy>

export const DashboardWidgetChartType = {
  LineTimeSeries: 'LINE_TIME_SERIES',
  AreaTimeSeries: 'AREA_TIME_SERIES',
  BarTimeSeries: 'BAR_TIME_SERIES',
  HorizontalBar: 'HORIZONTAL_BAR',
  VerticalBar: 'VERTICAL_BAR',
  Pie: 'PIE',
  Number: 'NUMBER',
  Histogram: 'HISTOGRAM',
  PivotTable: 'PIVOT_TABLE',
} as const
export type DashboardWidgetChartType = ValueOf<typeof DashboardWidgetChartType>

export const DashboardWidgetMetricAggregation = {
  Sum: 'sum',
  Avg: 'avg',
  Count: 'count',
  Max: 'max',
  Min: 'min',
  P50: 'p50',
  P75: 'p75',
  P90: 'p90',
  P95: 'p95',
  P99: 'p99',
  Histogram: 'histogram',
  Uniq: 'uniq',
} as const
export type DashboardWidgetMetricAggregation = ValueOf<typeof DashboardWidgetMetricAggregation>

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

export const DashboardWidgetSortOrder = { Asc: 'ASC', Desc: 'DESC' } as const
export type DashboardWidgetSortOrder = ValueOf<typeof DashboardWidgetSortOrder>

export type DashboardWidgetChartConfigInput = Partial<DashboardWidgetChartConfig>

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

export type UpdateDashboardWidgetRequest = ChangesOf<CreateDashboardWidgetRequest>

export type DashboardWidgetList = PageOf<DashboardWidget>

export type DeleteDashboardWidgetResponse = MessageResponse

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
