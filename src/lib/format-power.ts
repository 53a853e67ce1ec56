export { formatPower, formatReading } from '../../contract/rules/text/quantity.ts'
