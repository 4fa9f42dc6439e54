// The 41 methods whose request slot nothing goes into (and one more of their kind): options in its place must be an
// error, behind it they are right. Compiled by types.test.ts, never run.
import { SvcClient } from '@svc/client'

const { api } = new SvcClient()
const options = { timeoutInSeconds: 5, maxRetries: 0 }

// @ts-expect-error options are in the place of the request
api.annotationQueues.getQueue('queueId', options)
api.annotationQueues.getQueue('queueId', {}, options)
// @ts-expect-error options are in the place of the request
api.annotationQueues.getQueueItem('queueId', 'itemId', options)
api.annotationQueues.getQueueItem('queueId', 'itemId', {}, options)
// @ts-expect-error options are in the place of the request
api.annotationQueues.deleteQueueItem('queueId', 'itemId', options)
api.annotationQueues.deleteQueueItem('queueId', 'itemId', {}, options)
// @ts-expect-error options are in the place of the request
api.blobStorageIntegrations.getBlobStorageIntegrations(options)
api.blobStorageIntegrations.getBlobStorageIntegrations({}, options)
// @ts-expect-error options are in the place of the request
api.blobStorageIntegrations.getBlobStorageIntegrationStatus('id', options)
api.blobStorageIntegrations.getBlobStorageIntegrationStatus('id', {}, options)
// @ts-expect-error options are in the place of the request
api.blobStorageIntegrations.deleteBlobStorageIntegration('id', options)
api.blobStorageIntegrations.deleteBlobStorageIntegration('id', {}, options)
// @ts-expect-error options are in the place of the request
api.comments.getById('commentId', options)
api.comments.getById('commentId', {}, options)
// @ts-expect-error options are in the place of the request
api.datasetItems.get('id', options)
api.datasetItems.get('id', {}, options)
// @ts-expect-error options are in the place of the request
api.datasetItems.delete('id', options)
api.datasetItems.delete('id', {}, options)
// @ts-expect-error options are in the place of the request
api.datasets.get('datasetName', options)
api.datasets.get('datasetName', {}, options)
// @ts-expect-error options are in the place of the request
api.evaluationRules.get('evaluationRuleId', options)
api.evaluationRules.get('evaluationRuleId', {}, options)
// @ts-expect-error options are in the place of the request
api.evaluationRules.delete('evaluationRuleId', options)
api.evaluationRules.delete('evaluationRuleId', {}, options)
// @ts-expect-error options are in the place of the request
api.evaluators.get('evaluatorId', options)
api.evaluators.get('evaluatorId', {}, options)
// @ts-expect-error options are in the place of the request
api.evaluators.delete('evaluatorId', options)
api.evaluators.delete('evaluatorId', {}, options)
// @ts-expect-error options are in the place of the request
api.health.health(options)
api.health.health({}, options)
// @ts-expect-error options are in the place of the request
api.llmConnections.delete('id', options)
api.llmConnections.delete('id', {}, options)
// @ts-expect-error options are in the place of the request
api.media.get('mediaId', options)
api.media.get('mediaId', {}, options)
// @ts-expect-error options are in the place of the request
api.models.get('id', options)
api.models.get('id', {}, options)
// @ts-expect-error options are in the place of the request
api.models.delete('id', options)
api.models.delete('id', {}, options)
// @ts-expect-error options are in the place of the request
api.organizations.getOrganizationMemberships(options)
api.organizations.getOrganizationMemberships({}, options)
// @ts-expect-error options are in the place of the request
api.organizations.getProjectMemberships('projectId', options)
api.organizations.getProjectMemberships('projectId', {}, options)
// @ts-expect-error options are in the place of the request
api.organizations.getOrganizationProjects(options)
api.organizations.getOrganizationProjects({}, options)
// @ts-expect-error options are in the place of the request
api.organizations.getOrganizationApiKeys(options)
api.organizations.getOrganizationApiKeys({}, options)
// @ts-expect-error options are in the place of the request
api.projects.get(options)
api.projects.get({}, options)
// @ts-expect-error options are in the place of the request
api.projects.delete('projectId', options)
api.projects.delete('projectId', {}, options)
// @ts-expect-error options are in the place of the request
api.projects.getApiKeys('projectId', options)
api.projects.getApiKeys('projectId', {}, options)
// @ts-expect-error options are in the place of the request
api.projects.deleteApiKey('projectId', 'apiKeyId', options)
api.projects.deleteApiKey('projectId', 'apiKeyId', {}, options)
// @ts-expect-error options are in the place of the request
api.scim.getServiceProviderConfig(options)
api.scim.getServiceProviderConfig({}, options)
// @ts-expect-error options are in the place of the request
api.scim.getResourceTypes(options)
api.scim.getResourceTypes({}, options)
// @ts-expect-error options are in the place of the request
api.scim.getSchemas(options)
api.scim.getSchemas({}, options)
// @ts-expect-error options are in the place of the request
api.scim.getUser('userId', options)
api.scim.getUser('userId', {}, options)
// @ts-expect-error options are in the place of the request
api.scim.deleteUser('userId', options)
api.scim.deleteUser('userId', {}, options)
// @ts-expect-error options are in the place of the request
api.scoreConfigs.getById('configId', options)
api.scoreConfigs.getById('configId', {}, options)
// @ts-expect-error options are in the place of the request
api.scores.delete('scoreId', options)
api.scores.delete('scoreId', {}, options)
// @ts-expect-error options are in the place of the request
api.trace.delete('traceId', options)
api.trace.delete('traceId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.dashboardWidgets.get('widgetId', options)
api.unstable.dashboardWidgets.get('widgetId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.dashboardWidgets.delete('widgetId', options)
api.unstable.dashboardWidgets.delete('widgetId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.dashboards.get('dashboardId', options)
api.unstable.dashboards.get('dashboardId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.dashboards.delete('dashboardId', options)
api.unstable.dashboards.delete('dashboardId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.dashboards.deletePlacement('dashboardId', 'placementId', options)
api.unstable.dashboards.deletePlacement('dashboardId', 'placementId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.skills.getFileContent('fileId', options)
api.unstable.skills.getFileContent('fileId', {}, options)
// @ts-expect-error options are in the place of the request
api.unstable.skills.deleteVersion('skillName', 3, options)
api.unstable.skills.deleteVersion('skillName', 3, {}, options)

// Wherever options are said in place, the same holds.
// @ts-expect-error options are in the place of the request
api.projects.get({ timeoutInSeconds: 5 })
// @ts-expect-error options are in the place of the query
api.datasets.list({ maxRetries: 1 })
// @ts-expect-error there is no such option
api.datasets.list({}, { retries: 1 })
// @ts-expect-error an id is missing
api.datasets.get()
