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

variable "usd_per_hour_each" {
  description = "Price of one machine in USD an hour."
  type        = number
  default     = null
}

variable "root_volume_product" {
  description = "The provider's product for the volume beside a local disk."
  type        = string
  default     = null
}

variable "root_volume_size_gib" {
  description = "Size of the volume beside a local disk in GiB."
  type        = number
  default     = null
}

variable "objective" {
  description = "Objective that ranked the machine."
  type        = string
  default     = null
}

variable "kind" {
  description = "service or job."
  type        = string
  default     = null
}

variable "command" {
  description = "Shell command of one machine, with the engine's own arguments."
  type        = string
  default     = null
}

variable "model" {
  description = "Name of the model."
  type        = string
  default     = null
}

variable "precision" {
  description = "Precision of the work."
  type        = string
  default     = null
}

variable "quantization" {
  description = "Quantization of the weights."
  type        = string
  default     = null
}

variable "kv_cache_precision" {
  description = "Precision of the KV cache."
  type        = string
  default     = null
}

variable "method" {
  description = "Method of training."
  type        = string
  default     = null
}

variable "optimizer" {
  description = "Optimizer of the training."
  type        = string
  default     = null
}

variable "sharding" {
  description = "Sharding of the training."
  type        = string
  default     = null
}

variable "activation_recomputation" {
  description = "Recomputation of activations."
  type        = string
  default     = null
}

variable "offload" {
  description = "States that are kept in host memory."
  type        = string
  default     = null
}

variable "experiments" {
  description = "Number of independent runs at the same time."
  type        = number
  default     = null
}

variable "batch_size" {
  description = "Samples or requests that one device or replica processes at once."
  type        = number
  default     = null
}

variable "global_batch_size" {
  description = "Samples of one step over all devices."
  type        = number
  default     = null
}

variable "max_model_len" {
  description = "Tokens of the longest request."
  type        = number
  default     = null
}

variable "tensor_parallel" {
  description = "Devices that share each layer."
  type        = number
  default     = null
}

variable "pipeline_parallel" {
  description = "Stages of a replica."
  type        = number
  default     = null
}

variable "replicas" {
  description = "Replicas of the model."
  type        = number
  default     = null
}

variable "nodes_per_replica" {
  description = "Machines of one replica."
  type        = number
  default     = null
}
