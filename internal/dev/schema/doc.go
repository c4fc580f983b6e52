// Package schema holds the outputs of learnstat against its JSON Schema, by a validator that others
// maintain.
package schema
