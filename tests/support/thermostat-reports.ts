import fc from 'fast-check'

/** Reports of a thermostat and other devices: any fields, any nodes in any order. */
export const reports = fc.record(
  {
    Switch: fc.constantFrom(0, 1),
    Power: fc.integer({ min: 0, max: 9 }),
    ThermostatTable: fc.uniqueArray(
      fc.record(
        {
          NodeID: fc.integer({ min: 0, max: 5 }),
          Switch: fc.constantFrom(0, 1),
          Temperature: fc.integer({ min: 15, max: 30 }),
          TargetTemperature: fc.integer({ min: 15, max: 30 }),
        },
        { requiredKeys: ['NodeID'] },
      ),
      { selector: ({ NodeID }) => NodeID, maxLength: 5 },
    ),
  },
  { requiredKeys: [] },
)
