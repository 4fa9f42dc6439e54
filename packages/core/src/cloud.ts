/** The hosted service (EU). A placeholder that does not resolve, so that no data is sent to a wrong host. */
export const CLOUD_BASE_URL = 'https://eu.cloud.svc.example'
