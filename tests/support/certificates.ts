import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether certificates can be created here. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Creates a certificate authority and its certificate for 127.0.0.1 and localhost, as PEM files, valid for this number of days. */
export function makeCertificates(directory: string, days = 2): { ca: string; cert: string; key: string } {
  const file = (name: string) => join(directory, name)
  const openssl = (...args: string[]) =>
    execFileSync(
      'openssl',
      args.map((word) => (/\.(pem|ext)$/.test(word) ? file(word) : word)),
      { stdio: 'pipe' },
    )
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...ec,
    '-keyout',
    'ca-key.pem',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test authority',
    '-days',
    `${days}`,
  )
  openssl('req', ...ec, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost')
  writeFileSync(file('names.ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  const signed = [
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca-key.pem',
    '-CAcreateserial',
    '-days',
    `${days}`,
    '-extfile',
    'names.ext',
  ]
  openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', ...signed)
  return { ca: readFileSync(file('ca.pem'), 'utf8'), cert: file('cert.pem'), key: file('key.pem') }
}
