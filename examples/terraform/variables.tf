# The variables of `format=tfvars`. Unknown values are null.

variable "cloud" {
  description = "Cloud that rents the machine: aws, azure, gcp, …, or own."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Region of that cloud."
  type        = string
  nullable    = false
}

variable "instance_type" {
  description = "Instance type as the catalog names it."
  type        = string
  nullable    = false
}

variable "machine_type" {
  description = "Name of the machine type in the provider's own API."
  type        = string
  nullable    = false
}

variable "node_count" {
  description = "Machines to rent."
  type        = number
  nullable    = false

  validation {
    condition     = var.node_count >= 1 && floor(var.node_count) == var.node_count
    error_message = "There is at least one machine, and no part of one."
  }
}

variable "purchase" {
  description = "Purchase option: on_demand or spot."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["on_demand", "spot"], var.purchase)
    error_message = "A purchase is on_demand or spot."
  }
}

variable "accelerator" {
  description = "Name of the accelerator, if it has any."
  type        = string
  default     = null
}

variable "accelerator_count" {
  description = "Accelerators of one machine; a fraction for a shared one."
  type        = number
  default     = 0
}

variable "disk_type" {
  description = "Generic class of the disk: nvme (local), ssd, balanced, efficiency, hdd."
  type        = string
  nullable    = false
}

variable "disk_product" {
  description = "The provider's product for that class, if known."
  type        = string
  default     = null
}

variable "disk_size_gib" {
  description = "Size of each machine's disk in GiB."
  type        = number
  nullable    = false
}

variable "disk_iops" {
  description = "Required operations per second of the disk."
  type        = number
  default     = null
}

variable "disk_throughput_mib_s" {
  description = "Required throughput of the disk in MiB per second."
  type        = number
  default     = null
}

variable "usd_per_hour" {
  description = "Price of all machines together in USD an hour."
  type        = number
  default     = null
}

variable "time_hours" {
  description = "Duration of the job in hours; null for serving."
  type        = number
  default     = null
}

variable "cost_usd" {
  description = "Cost of the job in USD; null for serving."
  type        = number
  default     = null
}
