terraform {
  required_version = ">= 1.4" # terraform_data, which is built in
}
