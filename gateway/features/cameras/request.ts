import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { AddressRefused, createSafeRequest, type Lookup } from '../../lib/guarded-request.ts'
import type { CameraFault } from '../../../contract/devices/camera-and-ir-calls.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Error of a camera that cannot be watched: the text is for logs and API callers, the fault for users. */
export class CameraError extends GatewayError {
  readonly fault: CameraFault

  constructor(fault: CameraFault, text: string) {
    super('DEVICE_UNREACHABLE', text)
    this.fault = fault
  }
}

/** Error codes of a rejected certificate (Node's TLS errors). */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS/

/** Maps a failed or incomplete request to an error. */
export function reasonForTimeout(error: unknown, signal: AbortSignal): CameraError {
  if (error instanceof CameraError) return error
  if (signal.aborted) return new CameraError('silent', 'The camera does not answer in time')
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && CERTIFICATE.test(code)
    ? new CameraError('certificate', 'The camera has a certificate that is not trusted')
    : new CameraError('unreachable', 'The camera does not answer')
}

/** Maps the status of a response that is not a stream to an error. */
export function reasonForRefusal(status: number): CameraError {
  if (status === 401 || status === 403)
    return new CameraError('credentials', 'The camera refuses the user name or password')
  if (status >= 300 && status < 400)
    return new CameraError('elsewhere', 'The stream leads to another address')
  const fault = status === 404 || status === 410 ? 'notFound' : 'error'
  return new CameraError(fault, `The camera answers with ${status}`)
}

/** HTTP request to a camera; resolves with the response headers, for any status including redirects. */
export type CameraRequest = (
  url: URL,
  options: { headers: OutgoingHttpHeaders; signal: AbortSignal },
) => Promise<IncomingMessage>

/**
 * Creates requests that are limited to allowed addresses.
 *
 * errors  CameraError `network` or `unreachable` before a connection is opened; otherwise errors of node:http
 */
export function createRequest(isAllowed: (address: string) => boolean, lookup?: Lookup): CameraRequest {
  const request = createSafeRequest(isAllowed, lookup)
  return async (url, options) => {
    try {
      return await request(url, options)
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      throw error.reason === 'network'
        ? new CameraError('network', 'The address is in a network that CAMERA_NETWORKS does not name')
        : new CameraError('unreachable', 'No camera answers at this port')
    }
  }
}
