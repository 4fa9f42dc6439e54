/** The hosted service (EU). A name that cannot resolve until a real one is configured, so that nothing leaks. */
export const CLOUD_BASE_URL = 'https://eu.cloud.svc.example'
