module.exports = {
  uiHost: '127.0.0.1',
  uiPort: process.env.PORT,
  flowFile: 'node-red/flows.json',
  httpAdminRoot: false,
  telemetry: { enabled: false },
}
